import { defineTool, personalAbility, ToolFailure } from '@sibyl/plugin'
import { claimCreation, collectionId } from '@sibyl/protocol'
import { personOf } from '../access/caller.ts'
import { closedBecause } from '../collections/collection.ts'
import { type ToolParts, tellClaim, telling, toldClaim } from './tool-parts.ts'

const sample = 'did:web:localhost%3A3000:entities:01jd3s1v8zf3m9kq2w7c5x4b6n'

/** The tool `submit_claim`. */
export const submitClaimTool = (parts: ToolParts) =>
  defineTool({
    description:
      'Submits a claim about an entity, as the person. Data is an object in the form that its protocol says.',
    effect: 'write',
    ability: ['claims/submit', personalAbility],
    approval: 'user',
    describe: ({ asset }) => `Submit a claim${asset === undefined ? '' : ` about ${asset}`} in your name.`,
    input: claimCreation
      .pick({ data: true, type: true, evidence: true })
      .extend({
        asset: claimCreation.shape.asset.meta({ description: 'DID of the entity', examples: [sample] }),
        collection: collectionId.optional().describe('needed where several collections take it'),
        data: claimCreation.shape.data.meta({ examples: ['{"hours":3}'] }),
      })
      .strip(),
    output: toldClaim,
    execute: ({ asset, collection, data, type, evidence }, { turn, idempotencyKey }) =>
      telling(async () => {
        const { did } = personOf(turn.actor, parts.parties)
        const creation = {
          collection: collection ?? (await onlyCollection(asset, parts)),
          data,
          ...(asset === undefined ? {} : { asset }),
          ...(type === undefined ? {} : { type }),
          ...(evidence === undefined ? {} : { evidence }),
        }
        const { claim } = await parts.submit(creation, { did, channel: turn.channel, idempotencyKey })
        return tellClaim(claim)
      }),
  })

/** The one collection that takes claims about an asset now. */
const onlyCollection = async (
  asset: string | undefined,
  { directory, collections, clock }: ToolParts,
): Promise<string> => {
  if (asset === undefined) throw new ToolFailure('Say which entity the claim is about, or which collection takes it.')
  const entity = (await directory.find([asset])).get(asset)
  if (!entity) throw new ToolFailure('There is no such entity here.')
  const { protocol } = entity
  const found = protocol ? await collections.list({ protocol: protocol.did, open: true }, 20) : []
  const open = found.filter(one => closedBecause(one, clock.now()) === undefined)
  const [only] = open
  if (!only) throw new ToolFailure('No collection takes claims about that entity now.')
  if (open.length === 1) return only.id
  const listed = open.map(({ id, title }) => `${title} (${id})`).join(', ')
  throw new ToolFailure(`Several collections take claims about that entity. Name one: ${listed}.`)
}
