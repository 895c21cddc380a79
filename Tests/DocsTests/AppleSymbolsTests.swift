import Foundation
import Testing

/// Docs/AppleSymbols.md names a test for each symbol.
@Suite("The table of Apple's symbols")
struct AppleSymbolsTests {
    private struct Row {
        let symbol: String
        let proofs: [Substring]
        let difference: String

        init?(_ line: Substring) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[0].hasPrefix("`") else { return nil }
            symbol = String(cells[0].split(separator: "`")[0])
            proofs = cells[2].matches(of: /`([A-Za-z0-9]+\.[A-Za-z0-9]+)`/).map(\.output.1)
            difference = cells[3]
        }
    }

    private static let rows: [Row] = {
        let page = Page.all.first { $0.description == "Docs/AppleSymbols.md" }
        return (page?.text.split(separator: "\n") ?? []).compactMap(Row.init)
    }()

    /// Each suite of the package with its functions: `Suite.test`.
    private static let tests: Set<String> = {
        let folder = Page.package.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var found: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift",
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            let suites = text.matches(of: /(?:struct|extension|class) ([A-Za-z0-9]+)/)
            for test in text.matches(of: /func ([A-Za-z0-9]+)\(/) {
                for suite in suites { found.insert("\(suite.output.1).\(test.output.1)") }
            }
        }
        return found
    }()

    /// Apple's symbols, as the headings and rows of the page have them.
    private static let symbols = [
        "init?(request:delegate:)", "init?(request:delegate:startImmediately:)",
        "+connectionWithRequest:delegate:", "originalRequest", "currentRequest", "start()",
        "cancel()", "schedule(in:forMode:)", "unschedule(from:forMode:)", "setDelegateQueue(_:)",
        "canHandle(_:)", "sendSynchronousRequest(_:returning:)",
        "sendAsynchronousRequest(_:queue:completionHandler:)",
        "sendAsynchronousRequest(_:queue:) async throws",

        "connection(_:didFailWithError:)", "connectionShouldUseCredentialStorage(_:)",
        "connection(_:willSendRequestFor:)",
        "connection(_:canAuthenticateAgainstProtectionSpace:)", "connection(_:didReceive:)",
        "connection(_:didCancel:)",

        "connection(_:willSend:redirectResponse:)", "connection(_:didReceive:)",
        "connection(_:didReceive:)", "connection(_:needNewBodyStream:)",
        "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)",
        "connection(_:willCacheResponse:)", "connectionDidFinishLoading(_:)",

        "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)",
        "connectionDidResumeDownloading(_:totalBytesWritten:expectedTotalBytes:)",
        "connectionDidFinishDownloading(_:destinationURL:)",

        "use(_:for:)", "continueWithoutCredential(for:)", "cancel(_:)",
        "performDefaultHandling(for:)", "rejectProtectionSpaceAndContinue(with:)",
    ]

    @Test("Each of Apple's symbols has its row")
    func isWhole() {
        #expect(Self.rows.map(\.symbol) == Self.symbols)
    }

    @Test("Each row names a test that is there, and says what differs")
    func proofs() {
        for row in Self.rows {
            #expect(!row.proofs.isEmpty, "\(row.symbol) names no test")
            let missing = row.proofs.filter { !Self.tests.contains(String($0)) }
            #expect(missing.isEmpty, "\(row.symbol)")
            #expect(!row.difference.isEmpty, "\(row.symbol)")
        }
    }
}
