// Caps that are for all have no shares by address.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  { file: 'packages/plugin/src/limits/limit-shares.ts', find: 'origin: actor.origin,', replace: 'origin: undefined,' },
])
