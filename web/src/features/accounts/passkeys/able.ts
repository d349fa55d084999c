/** Browsers don't offer passkeys on a page whose host is an IP address. */
export const canUsePasskeys = () =>
  'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {}) && !/^[\d.]+$|:/.test(window.location.hostname)
