// Circles of folders, on the web. Apart from the other boundaries, because tests may import what uses their subject.
const { options } = require('./.dependency-cruiser.cjs')
const rooms = '^web/src/(features|screens)/[^/]+$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      comment: 'Each feature can be read after the features that it uses.',
      severity: 'error',
      scope: 'folder',
      from: { path: rooms },
      to: { path: rooms, circular: true },
    },
  ],
  options: { ...options, exclude: { path: '[.]test[.]tsx?$|[.]test-[a-z]+[.]tsx?$|^web/src/test/' } },
}
