import server from '../../package.json' with { type: 'json' }

/** Which Duet this is, as `1.2.3` or `1.2.3-rc.4`. */
export const version: string = server.version
