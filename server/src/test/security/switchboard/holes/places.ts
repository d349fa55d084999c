import { features, type Hole, security } from '../hole.ts'

const cells = `${features}/cells/cells.test.ts`
const places = `${features}/places/places.test.ts`
const discovery = `${features}/discovery/discovery.test.ts`
const told = 'two people in one cell have the same stored location, whatever their coordinates'
const unsnapped = {
  file: `${features}/places/places.ts`,
  find: 'const place = published(snap(point.latitude, point.longitude).cell)',
  replace:
    'const place = { ...published(snap(point.latitude, point.longitude).cell), latitude: point.latitude, longitude: point.longitude }',
}

export const placesHoles: Hole[] = [
  {
    name: 'one side is not snapped',
    opens: 'Find someone’s door by where a distance changes, although it is told in steps (what Bumble had in 2021).',
    changes: [unsnapped],
    caughtBy: [
      {
        file: `${security}/location.test.ts`,
        test: 'A person on Duet can’t be located more precisely than a cell.',
        stands: 'The same attackers break distance rounded to 1 km.',
      },
      {
        file: places,
        test: 'only the cell and its centre are stored, and no coordinate that was sent',
        stands: 'a city can be given instead of coordinates',
      },
    ],
  },
  {
    name: 'distance is told as it is',
    opens: 'Find someone’s door with three measurements (what Tinder had in 2013).',
    changes: [
      unsnapped,
      {
        function: 'distance_bucket',
        find: "select ('{2,5,10,25,50,100}'::smallint[])[1 + width_bucket(km, '{2,5,10,25,50,100}'::double precision[])]",
        replace: 'select case when km < 100 then ceil(km) end::smallint',
      },
    ],
    caughtBy: [
      {
        file: discovery,
        test: 'people nearby come nearest bucket first, with the upper bound of their bucket',
        stands: "filters apply both people's genders",
      },
    ],
  },
  {
    name: 'border is not held',
    opens: 'Learn where a border of cells runs past a home, by how often its cell changes.',
    changes: [
      {
        file: `${features}/cells/cells.ts`,
        find: 'if (distance <= hysteresis * edgeKm(old)) return',
        replace: 'if (distance < 0) return',
      },
    ],
    caughtBy: [
      {
        file: cells,
        test: 'a home at a border publishes one cell, however its position jitters',
        stands: 'everyone in a cell gets exactly the same place',
      },
    ],
  },
  {
    name: 'moves are seen at once',
    opens: 'Time when someone crosses from one cell into the next.',
    changes: [
      {
        file: `${features}/places/places.ts`,
        find: 'await updateCell(tx.db, viewerId, cell, isShown ? null : nextEpoch(now))',
        replace:
          'await updateCell(tx.db, viewerId, cell, null)\n      await publishCell(tx.db, viewerId, published(cell), now)',
      },
    ],
    caughtBy: [{ file: places, test: 'others see a move at the next epoch, not before', stands: told }],
  },
  {
    name: 'order follows the distance',
    opens: 'Measure distances by the order of people.',
    changes: [
      {
        file: `${features}/candidates/candidates.queries.ts`,
        find: 'uuid_hash_extended(c.user_id, $4::bigint) as key',
        replace: '($4::bigint * 0 + 1e9 * (c.latitude + c.longitude))::bigint as key',
      },
    ],
    caughtBy: [
      {
        file: discovery,
        test: "the order within a bucket doesn't depend on distance, and differs between viewers",
        stands: 'people nearby come nearest bucket first, with the upper bound of their bucket',
      },
    ],
  },
  {
    name: 'place that was taken back is new',
    opens:
      'Look from any number of places, and be followed from each to the next, by withdrawing the place in between.',
    changes: [
      {
        file: `${features}/places/places.ts`,
        find: 'const isFirst = !(await hasWithdrawnLocationConsent(tx.db, viewerId))',
        replace: 'const isFirst = !(await hasWithdrawnLocationConsent(tx.db, ownerOfNothing))',
      },
      {
        file: `${features}/places/places.ts`,
        find: 'const batch = 500',
        replace: "const batch = 500\nconst ownerOfNothing = '00000000-0000-0000-0000-000000000000'",
      },
    ],
    caughtBy: [
      {
        file: `${features}/places/places.test.ts`,
        test: 'after a location was withdrawn, setting it counts as a move and shows at the next half hour',
        stands: 'others see a move at the next epoch, not before',
      },
    ],
  },
  {
    name: 'place that is not published is shown',
    opens: 'Time when someone arrives, although others see moves at half hours alone.',
    changes: [
      {
        file: `${features}/profiles/cards.queries.ts`,
        find: 'and (l.published_at is not null or p.user_id =',
        replace: 'and (l.cell is not null or p.user_id =',
      },
    ],
    caughtBy: [
      {
        file: `${features}/places/places.test.ts`,
        test: 'after a location was withdrawn, setting it counts as a move and shows at the next half hour',
        stands: 'others see a move at the next epoch, not before',
      },
    ],
  },
]
