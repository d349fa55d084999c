import { features, type Hole, platform } from '../hole.ts'

const photos = `${features}/photos/photos.test.ts`
const uploads = `${features}/photos/uploads.test.ts`
const address = "a photo's URL works for its viewer, but not when changed or expired"
const files = `${features}/photos/develop.ts`

export const photosHoles: Hole[] = [
  {
    name: 'address is for anyone',
    opens: 'Use the address of a photo in another person’s name.',
    changes: [
      {
        file: `${platform}/security/signed-urls.ts`,
        find: 'secrets.hmac(purpose, name, viewerId, String(expires))',
        replace: "secrets.hmac(purpose, name, viewerId ? '' : '', String(expires))",
      },
    ],
    caughtBy: [{ file: photos, test: address, stands: 'a removed photo is gone for everyone, with its files' }],
  },
  {
    name: 'removed photos stay',
    opens: 'Fetch photos that their owner removed (what M.A.D Mobile had in 2025).',
    changes: [
      {
        file: `${features}/photos/photos.ts`,
        find: 'await removeWithCommit(tx, keysOf(fileName))',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: photos,
        test: 'a removed photo is gone for everyone, with its files',
        stands: 'only the owner can describe a photo',
      },
    ],
  },
  {
    name: 'file is kept as it came',
    opens: 'Read where a photo was taken, and with what (what Tea had in 2025).',
    changes: [
      {
        file: files,
        find: 'return { ...printed, sha256:',
        replace: 'return { ...printed, variants: widths.map((width) => ({ width, bytes })), sha256:',
      },
    ],
    caughtBy: [
      {
        file: uploads,
        test: "a photo reveals nothing of the original's camera, place or program",
        stands: "a person's uploads are limited per hour",
      },
    ],
  },
  {
    name: 'any format is taken',
    opens: 'Upload a drawing that runs code in the browser of the viewer.',
    changes: [
      { file: files, find: 'if (!type || !accepted.has(type.mime)) {', replace: 'if (type === null) {' },
      { file: files, find: "  sharp.block({ operation: ['VipsForeignLoad'] })\n", replace: '' },
    ],
    caughtBy: [
      { file: uploads, test: "files that aren't photos an SVG is refused", stands: 'seven photos are refused' },
    ],
  },
]
