// Circles of folders. Apart from the other boundaries, because tests may import what uses their subject.
const { options } = require('./.dependency-cruiser.cjs')
const rooms = '^(web/src/(features|screens)|server/src/(features|platform))/[^/]+$'
const tests = '[.]test[.]tsx?$|[.]test-[a-z]+[.]tsx?$|^(web|server)/src/test/'
// These files of the platform gather its rooms. No room imports them: see gatherers-above-rooms in the other file.
const gatherers = '^server/src/platform/(platform|metrics|transaction|file-removal)[.]ts$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      comment: 'Each room can be read after the rooms that it uses.',
      severity: 'error',
      scope: 'folder',
      from: { path: rooms },
      to: { path: rooms, circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${tests}|${gatherers}` } },
}
