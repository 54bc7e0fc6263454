import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'

/** Makes a token that must be refused out of good ones; it may give back a good one, which then does not count. */
export type Mutation = (cast: Cast, random: Random) => string | Promise<string>

/** Mutations by name. */
export type Mutations = Readonly<Record<string, Mutation>>
