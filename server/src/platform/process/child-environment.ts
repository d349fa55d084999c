const needed = ['PATH', 'LD_LIBRARY_PATH']

/** The environment of child processes: where programs are, and none of our secrets and addresses. */
export const childEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.includes(name)))
