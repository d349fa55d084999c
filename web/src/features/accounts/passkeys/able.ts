/** Whether this browser can use passkeys, at this address: they are bound to a name, and to TLS. */
export const canUsePasskeys = () =>
  'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {}) && !/^[\d.]+$|:/.test(window.location.hostname)
