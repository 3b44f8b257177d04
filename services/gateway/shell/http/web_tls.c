/* web_tls.c: the certificate of a door that speaks TLS itself, and a new one while it runs. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include "services/gateway/shell/http/web_private.h"

bool web_tls_is_whole(const struct web_settings *settings, struct text *fault)
{
    const char *const files[] = { settings->tls_cert, settings->tls_key };
    bool              is_wanted = files[0][0] != '\0' || files[1][0] != '\0';
    text_clear(fault);
    for (size_t i = 0; is_wanted && i < 2; i++) {
        if (files[i][0] == '\0') {
            text_put(fault, i == 0 ? "--tls-key is of no use without --tls-cert"
                                   : "--tls-cert is of no use without --tls-key");
            return false;
        }
        if (access(files[i], R_OK) != 0) {
            text_put(fault,
                     i == 0 ? "the certificate cannot be read: " : "its key cannot be read: ");
            text_put(fault, files[i]);
            return false;
        }
    }
    return true;
}

/* HTTP/2 is not spoken here, and a client that offers it must hear so before it speaks it. */
void web_tls_ask(const struct web_settings *settings, struct lws_context_creation_info *info)
{
    if (settings->tls_cert[0] == '\0')
        return;
    info->options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info->ssl_cert_filepath = settings->tls_cert;
    info->ssl_private_key_filepath = settings->tls_key;
    info->alpn = "http/1.1";
    info->ssl_options_set = (long) (SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION);
}

static bool load(SSL_CTX *to, const struct web_settings *settings)
{
    bool is_loaded = to != NULL &&
                     SSL_CTX_use_certificate_chain_file(to, settings->tls_cert) == 1 &&
                     SSL_CTX_use_PrivateKey_file(to, settings->tls_key, SSL_FILETYPE_PEM) == 1 &&
                     SSL_CTX_check_private_key(to) == 1;
    ERR_clear_error();
    return is_loaded;
}

static int kind_of(const SSL_CTX *context)
{
    const EVP_PKEY *key = context != NULL ? SSL_CTX_get0_privatekey(context) : NULL;
    return key != NULL ? EVP_PKEY_base_id(key) : EVP_PKEY_NONE;
}

/* They are judged where nobody meets them. OpenSSL keeps one key of each kind: the old one would be shown beside one of
 * another kind, to whoever prefers it. */
bool web_tls_fits(const struct web *web, struct text *fault)
{
    text_clear(fault);
    if (web->settings.tls_cert[0] == '\0')
        return true;
    SSL_CTX *trial = SSL_CTX_new(TLS_server_method());
    bool     is_good = load(trial, &web->settings);
    bool     is_same_kind = kind_of(trial) == kind_of(web->tls);
    SSL_CTX_free(trial);
    if (is_good && is_same_kind)
        return true;
    if (is_good) {
        text_put(fault, "a key of another kind needs a restart: ");
        text_put(fault, web->settings.tls_key);
        return false;
    }
    text_put(fault, "the certificate and the key cannot be read, or do not fit: ");
    text_put(fault, web->settings.tls_cert);
    text_put(fault, ", ");
    text_put(fault, web->settings.tls_key);
    return false;
}

bool web_tls_again(struct web *web)
{
    return web->settings.tls_cert[0] == '\0' || load(web->tls, &web->settings);
}
