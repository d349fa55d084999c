/** How long a test waits for something that must happen; so long that only a hang, never a slow machine, reaches it. */
export const standstillMs = 60_000
