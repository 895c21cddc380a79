// What Swift sees of OpenSSL: TLS by libssl, and the making of certificates by libcrypto.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

// A macro over a variadic function; Swift can call neither.
static inline EVP_PKEY *shim_key_makeOnCurve(const char *curve) {
    return EVP_EC_gen(curve);
}

// What libcurl is to do when a BIO has taken nothing yet; macros over BIO_set_flags.
static inline void shim_bio_retryWrite(BIO *bio) {
    BIO_clear_retry_flags(bio);
    BIO_set_retry_write(bio);
}

// Stacks are typed by macros.

static inline int shim_certificates_count(const STACK_OF(X509) *stack) {
    return stack ? sk_X509_num(stack) : 0;
}

static inline X509 *shim_certificates_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline int shim_names_count(const STACK_OF(X509_NAME) *stack) {
    return stack ? sk_X509_NAME_num(stack) : 0;
}

static inline X509_NAME *shim_names_at(const STACK_OF(X509_NAME) *stack, int index) {
    return sk_X509_NAME_value(stack, index);
}

// RFC 2253, with letters of all alphabets as they are; a macro of several parts.
static inline unsigned long shim_name_style(void) {
    return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
}

static inline int shim_generalNames_count(const GENERAL_NAMES *names) {
    return names ? sk_GENERAL_NAME_num(names) : 0;
}

// NULL where a name is neither text nor an address.
static inline ASN1_STRING *shim_generalNames_at(const GENERAL_NAMES *names, int index, int *kind) {
    void *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), kind);
    switch (*kind) {
    case GEN_DNS:
    case GEN_EMAIL:
    case GEN_URI:
    case GEN_IPADD:
        return (ASN1_STRING *)value;
    default:
        return NULL;
    }
}

static inline void shim_certificates_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}
