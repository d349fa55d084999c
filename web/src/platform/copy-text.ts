/** Rejects if the browser denies access to the clipboard or has no clipboard, for example without TLS. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text)
