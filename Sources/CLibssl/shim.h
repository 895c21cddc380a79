// What Swift sees of OpenSSL: TLS by libssl, and the making of certificates by libcrypto.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>

// A macro over a variadic function; Swift can call neither.
static inline EVP_PKEY *shim_key_makeOnCurve(const char *curve) {
    return EVP_EC_gen(curve);
}
