private import CLibcurl

// MARK: - The codes of FTP that have a meaning of their own here

extension CurlCode {
    package static let remoteAccessDenied = CurlCode(CURLE_REMOTE_ACCESS_DENIED)
    package static let remoteFileNotFound = CurlCode(CURLE_REMOTE_FILE_NOT_FOUND)
    package static let loginDenied = CurlCode(CURLE_LOGIN_DENIED)
    package static let ftpWeirdPasswordReply = CurlCode(CURLE_FTP_WEIRD_PASS_REPLY)
    package static let ftpWeirdPassiveReply = CurlCode(CURLE_FTP_WEIRD_PASV_REPLY)
    package static let ftpWeird227Format = CurlCode(CURLE_FTP_WEIRD_227_FORMAT)
    package static let ftpCouldNotSetType = CurlCode(CURLE_FTP_COULDNT_SET_TYPE)
    package static let ftpCouldNotRetrieve = CurlCode(CURLE_FTP_COULDNT_RETR_FILE)
}
