import { mintDelegation, mintInvocation, type SigningKey } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'
import { forge } from './forge.ts'
import type { Mutations } from './mutation.ts'
import { textMutations } from './text-mutations.ts'

const nonce = (random: Random): string => Buffer.from(random.bytes(16)).toString('base64url')

/** A delegation with whatever it says, signed by who says it. */
const delegation = (
  cast: Cast,
  random: Random,
  from: SigningKey,
  to: string,
  changes: object = {},
): Promise<string> => {
  const att = [{ with: cast.resource, can: cast.ability }]
  return forge(from, { iss: from.did, aud: to, exp: cast.now + 86_400, nnc: nonce(random), att, prf: [], ...changes })
}

const invocation = (cast: Cast, random: Random, from: SigningKey, prf: readonly unknown[]): Promise<string> =>
  delegation(cast, random, from, cast.did, { exp: cast.now + 300, prf })

/** Creates a chain of delegations from the controller to a holder. */
const chain = async (cast: Cast, random: Random, levels: number, to: SigningKey): Promise<string> => {
  const { controller } = cast.keys
  let proof = await delegation(cast, random, controller, levels === 1 ? to.did : controller.did)
  for (let level = 1; level < levels; level += 1) {
    const audience = level === levels - 1 ? to.did : controller.did
    proof = await delegation(cast, random, controller, audience, { prf: [proof] })
  }
  return proof
}

/** Mutations of proofs, which are also rejected with open access. */
export const proofMutations: Mutations = {
  stolenProof: (cast, random) =>
    invocation(cast, random, cast.keys.mallory, [random.pick([cast.proofs.alice, cast.proofs.bob])]),
  narrowProof: (cast, random) => invocation(cast, random, cast.keys.alice, [cast.proofs.narrow]),
  extraBadProof: (cast, random) =>
    invocation(cast, random, cast.keys.alice, [cast.proofs.alice, random.pick([cast.proofs.bob, 'a.b.c', null, 1])]),
  mutatedProof: async (cast, random) => {
    const { alice, mallory } = cast.keys
    const proof = await textMutations[random.pick(Object.keys(textMutations))]!(
      { ...cast, good: proofsAsGood(cast) },
      random,
    )
    if (Object.values(cast.proofs).includes(proof) || cast.good.some(({ token }) => token === proof)) return proof
    return invocation(cast, random, random.pick([alice, mallory]), [proof])
  },
  forgedProof: async (cast, random) => {
    const { controller, alice, mallory } = cast.keys
    const proof = await delegation(cast, random, mallory, alice.did, { iss: controller.did })
    return invocation(cast, random, alice, [proof])
  },
  expiredProof: async (cast, random) => {
    const { controller, alice } = cast.keys
    const { now } = cast
    const times = [
      { exp: now - 100 },
      { exp: now + 100 * 86_400 },
      { nbf: now + 100 },
      { exp: null },
      { exp: undefined },
      { exp: `${now + 100}` },
      { exp: (now + 100) * 1_000 },
    ]
    return invocation(cast, random, alice, [await delegation(cast, random, controller, alice.did, random.pick(times))])
  },
  moreThanGranted: async (cast, random) => {
    const { controller, alice } = cast.keys
    const [space] = cast.ability.split('/')
    const wider = random.pick(['*', `${space}/*`])
    const proof = await delegation(cast, random, controller, alice.did, {
      att: [{ with: cast.resource, can: `${space}/other` }],
    })
    return delegation(cast, random, alice, cast.did, {
      exp: cast.now + 300,
      prf: [proof],
      att: [{ with: cast.resource, can: random.pick([wider, cast.ability]) }],
    })
  },
  otherResource: async (cast, random) => {
    const { controller, alice, mallory } = cast.keys
    const att = [{ with: random.pick([`oracle:${mallory.did}`, 'my:*', 'prf:*', 'oracle:*']), can: '*' }]
    return invocation(cast, random, alice, [await delegation(cast, random, controller, alice.did, { att })])
  },
  inCircles: async (cast, random) => {
    const { alice, bob } = cast.keys
    let proof = cast.proofs.alice.slice(0, 200)
    for (let level = random.integer(1, 4); level > 0; level -= 1) {
      proof = await delegation(cast, random, level % 2 ? alice : bob, level % 2 ? bob.did : alice.did, { prf: [proof] })
    }
    return invocation(cast, random, random.pick([alice, bob]), [proof])
  },
  tooDeep: async (cast, random) => {
    const { alice } = cast.keys
    return invocation(cast, random, alice, [await chain(cast, random, random.integer(6, 7), alice)])
  },
  tooWide: async (cast, random) => {
    const { alice } = cast.keys
    const width = random.pick([9, 10, 12, 1_000])
    const prf = Array.from({ length: width }, () => random.pick([cast.proofs.alice, 'a.b.c', '']))
    return invocation(cast, random, alice, width > 12 ? prf.map(() => '') : prf)
  },
  invocationAsProof: (cast, random) => invocation(cast, random, cast.keys.mallory, [random.pick(cast.good).token]),
}

const proofsAsGood = (cast: Cast) =>
  cast.good.map((good, index) => ({ ...good, token: [cast.proofs.alice, cast.proofs.bob, cast.proofs.alice][index]! }))

/** Mutations that only delegated access rejects; with open access everyone signs for themselves. */
export const strangerMutations: Mutations = {
  nobodysWord: (cast, random) => invocation(cast, random, cast.keys.mallory, []),
  proofsLeftOut: (cast, random) => invocation(cast, random, random.pick([cast.keys.alice, cast.keys.bob]), []),
  ownRoot: async (cast, random) => {
    const { mallory, alice } = cast.keys
    return invocation(cast, random, alice, [await delegation(cast, random, mallory, alice.did)])
  },
  ownRootMinted: async ({ keys: { mallory }, resource, ability, did, now }, random) => {
    const clock = () => now * 1_000
    const abilities = [random.pick([ability, '*'])]
    const proof = await mintDelegation({ key: mallory, audience: mallory.did, resource, abilities: ['*'], now: clock })
    return mintInvocation({ key: mallory, audience: did, resource, abilities, proofs: [proof], now: clock })
  },
}
