export { ModelsView } from './models-view.tsx'
export { PeopleView } from './people-view.tsx'
export { PoolView } from './pool-view.tsx'
