/** Passkeys need a host name rather than an IP address. */
export const canUsePasskeys = () =>
  'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {}) && !/^[\d.]+$|:/.test(window.location.hostname)
