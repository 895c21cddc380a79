/// The `void *` that a C library hands back to its callback.
///
/// The context does not retain its owner. Whoever creates one unregisters the
/// callback before the owner goes away.
@safe
package struct CallbackContext<Owner: AnyObject> {
    /// What the C library keeps.
    package let pointer: UnsafeMutableRawPointer

    /// Makes the pointer that leads back to `owner`.
    package init(unretained owner: Owner) {
        unsafe pointer = Unmanaged.passUnretained(owner).toOpaque()
    }

    /// Finds the owner behind the pointer that a C callback got.
    package static func owner(behind pointer: UnsafeMutableRawPointer?) -> Owner {
        guard let pointer = unsafe pointer else {
            preconditionFailure("the C library lost the context of a \(Owner.self)")
        }
        return unsafe Unmanaged<Owner>.fromOpaque(pointer).takeUnretainedValue()
    }
}
