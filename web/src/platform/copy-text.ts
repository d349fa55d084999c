/** Rejects if the browser denies access to the clipboard, or has none, as without TLS. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text)
