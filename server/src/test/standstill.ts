/** How long tests wait for something that must happen: so long that only a hang exceeds it, never a slow machine. */
export const standstillMs = 60_000
