const needed = ['PATH', 'LD_LIBRARY_PATH']

/** Children get the paths to programs, but none of our secrets or connection strings. */
export const childEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.includes(name)))
