import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'
import { claimMutations } from './claim-mutations.ts'
import { headerMutations } from './header-mutations.ts'
import type { Mutations } from './mutation.ts'
import { proofMutations, strangerMutations } from './proof-mutations.ts'
import { signatureMutations } from './signature-mutations.ts'
import { textMutations } from './text-mutations.ts'

/** A token that must be refused, and the name of the mutation that made it. */
export interface Candidate {
  readonly name: string
  readonly token: string
}

const everywhere: readonly Mutations[] = [
  textMutations,
  headerMutations,
  claimMutations,
  signatureMutations,
  proofMutations,
]
const delegated: readonly Mutations[] = [...everywhere, strangerMutations]

/** Makes a token that must be refused where access is as given; never one of the good tokens again. */
export const makeCandidate = async (cast: Cast, access: 'open' | 'delegated', random: Random): Promise<Candidate> => {
  for (;;) {
    const mutations = random.pick(access === 'open' ? everywhere : delegated)
    const name = random.pick(Object.keys(mutations))
    const token = await mutations[name]!(cast, random)
    if (!cast.good.some(good => good.token === token)) return { name, token }
  }
}

/** Number of mutations. */
export const mutationCount = delegated.reduce((count, mutations) => count + Object.keys(mutations).length, 0)
