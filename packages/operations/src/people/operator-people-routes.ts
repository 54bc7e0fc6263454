import { z } from '@hono/zod-openapi'
import { type CorePorts, type CoreTables, type NamedAddress, personParams } from '@sibyl/core/ports'
import { type Host, isoTime, page, type Route, route } from '@sibyl/plugin'
import { phoneChannel, readPhoneNumber } from '@sibyl/plugin/phones'
import { normalDid } from '@sibyl/protocol'
import { searchWords } from '@sibyl/storage'
import { createPeopleList, type PersonActivity } from './people-list.ts'
import { namedPerson, type PersonName, type PersonSummary, personDetails, personSummary } from './people-records.ts'

const people = page({
  name: 'people',
  item: personSummary,
  key: z.tuple([z.number(), z.string()]),
  limit: 50,
  maxLimit: 100,
})

const listed = people.response.extend({ tokenBudget: personDetails.shape.tokenBudget })

/** The search was a query until addresses left URLs; ignoring it would list all people. */
const movedSearch = z
  .string()
  .refine(() => false, 'Search with POST /operator/people/find: an address in a URL is logged by proxies')
  .optional()
  .meta({ description: 'Rejected; use `POST /operator/people/find`' })

/** Maximum people found by one address or name. */
const maxFound = 50

/** Routes of the operator that list the people of the oracle, without the contents of their data. */
export const operatorPeopleRoutes = (
  { peopleChannels: channels, storage, env: { TOKEN_BUDGET_DID_PER_DAY: tokenBudget } }: CorePorts,
  { identity }: Pick<Host, 'identity'>,
  now: () => number,
): Route[] => {
  const budget = tokenBudget === 0 ? {} : { tokenBudget }
  const list = createPeopleList(storage.for<CoreTables>(), now)
  const summaries = async (dids: readonly string[]): Promise<PersonSummary[]> => {
    const [activity, addresses, names] = await Promise.all([
      list.activity(dids),
      channels.of(dids),
      channels.namesOf(dids),
    ])
    return activity.map(one => summaryOf(one, addresses.get(one.did) ?? [], names.get(one.did) ?? []))
  }
  const didsOf = async (search: string): Promise<readonly string[]> => {
    if (search.startsWith('did:')) return [normalDid(search)]
    const known = await channels.find(search)
    const words = searchWords(search)
    // An address has words too, such as the digits of a phone number, which no name search needs.
    if (known.length > 0 || words.length === 0 || readPhoneNumber(search) !== undefined) return known
    const matches = (name: string) => {
      const own = searchWords(name)
      return words.every(word => own.some(one => one.startsWith(word)))
    }
    return channels.findNames(matches, maxFound + 1)
  }
  const found = async (dids: readonly string[]): Promise<PersonSummary[]> => {
    const known = await Promise.all(
      (await summaries(dids.slice(0, maxFound))).map(async one => {
        if (one.sessions + one.tokensToday + one.channels.length + one.names.length > 0) return [one]
        const { tokens, apiKeys, delegations } = await list.numbers(one.did)
        return tokens.length + apiKeys + delegations > 0 ? [one] : []
      }),
    )
    return known.flat()
  }
  return [
    route.get(
      '/operator/people',
      {
        auth: 'operator',
        tags: ['Operator'],
        summary: 'List the people with sessions, the latest activity first',
        description:
          'A page can have fewer people than `limit` and a `next`, and a person who becomes active meanwhile is on the first page. ' +
          'Phone numbers and users of channels are masked.',
        query: people.query.extend({ q: movedSearch }),
        ok: { 200: { description: 'The people', schema: listed } },
      },
      async c => {
        const { limit, cursor } = c.req.valid('query')
        const { dids, next } = await list.page(people.read(cursor), limit)
        return c.json(
          {
            people: await summaries(dids),
            ...(next === undefined ? {} : { next: people.cursor([...next]) }),
            ...budget,
          },
          200,
        )
      },
    ),
    route.post(
      '/operator/people/find',
      {
        auth: 'operator',
        readsOnly: true,
        tags: ['Operator'],
        summary: 'Find people by a DID, an address or a name, also without sessions',
        description: `At most ${maxFound}; \`more\` says that further names match. A name matches by the beginnings of its words.`,
        body: z.strictObject({
          address: z.string().trim().min(1).max(500).meta({
            description: 'A whole DID, a phone number with its country code, a Matrix user ID, or words of a name',
            example: '+260971234567',
          }),
        }),
        ok: {
          200: {
            description: 'The people',
            schema: listed.extend({
              more: z.literal(true).optional().meta({ description: 'Further people have such a name' }),
              did: z.string().optional().meta({
                description: 'The DID of the user of a phone number, also if nothing is stored of them',
              }),
            }),
          },
        },
      },
      async c => {
        const { address } = c.req.valid('json')
        const phone = readPhoneNumber(address)
        const did =
          phone === undefined || identity.did === undefined ? {} : { did: identity.pairwiseDid(phoneChannel, phone) }
        const dids = await didsOf(address)
        const more = dids.length > maxFound ? { more: true as const } : {}
        return c.json({ people: await found(dids), ...more, ...did, ...budget }, 200)
      },
    ),
    route.post(
      '/operator/people/names',
      {
        auth: 'operator',
        readsOnly: true,
        tags: ['Operator'],
        summary: 'Read the names of people by their DIDs',
        description: 'People without a name are left out.',
        body: z.strictObject({ dids: z.array(personParams.shape.person).min(1).max(100) }),
        ok: { 200: { description: 'The people with names', schema: z.object({ people: z.array(namedPerson) }) } },
      },
      async c => {
        const names = await channels.namesOf(c.req.valid('json').dids)
        const named = [...names].filter(([, all]) => all.length > 0)
        return c.json({ people: named.map(([did, all]) => ({ did, names: [...all] })) }, 200)
      },
    ),
    route.get(
      '/operator/people/{person}',
      {
        auth: 'operator',
        tags: ['Operator'],
        summary: 'Read the activity, usage and credentials of a person, in numbers',
        description: 'A person of whom nothing is stored has zeros.',
        params: personParams,
        ok: { 200: { description: 'The person', schema: personDetails } },
      },
      async c => {
        const did = c.req.valid('param').person
        const [[summary], numbers] = await Promise.all([summaries([did]), list.numbers(did)])
        return c.json({ ...summary!, ...numbers, tokens: [...numbers.tokens], ...budget }, 200)
      },
    ),
  ]
}

const summaryOf = (
  { did, firstActivityAt, lastActivityAt, sessions, tokensToday }: PersonActivity,
  channels: readonly NamedAddress[],
  names: readonly PersonName[],
): PersonSummary => ({
  did,
  ...(firstActivityAt === undefined ? {} : { firstActivityAt: isoTime(firstActivityAt) }),
  ...(lastActivityAt === undefined ? {} : { lastActivityAt: isoTime(lastActivityAt) }),
  sessions,
  tokensToday,
  channels: channels.map(({ plugin, address }) => ({ plugin, address })),
  names: [...names],
})
