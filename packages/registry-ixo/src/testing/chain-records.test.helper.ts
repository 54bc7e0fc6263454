import { each, encode, type Field, type Fields, messageOf, messagesOf, textOf, textsOf } from './wire.test.helper.ts'

/** Members of a message that are all text, by their numbers. */
export type Texts = Readonly<Record<number, string>>

/** A key of a document. */
export interface Method {
  readonly texts: Texts
  readonly relationships: readonly string[]
}

/** A DID document of the iid module. */
export interface Document {
  id: string
  controllers: string[]
  contexts: Texts[]
  methods: Method[]
  services: Texts[]
  resources: Texts[]
  links: Texts[]
  alsoKnownAs: string
  versionId: string
  created: number
  updated: number
  deactivated: boolean
}

/** An entity of the entity module. */
export interface Entity {
  id: string
  type: string
  status: number
  startDate: Buffer
  endDate: Buffer
  relayerNode: string
  credentials: string[]
  versionId: string
  created: number
  updated: number
}

/** How many members each message has, all of them text. */
export const widths = { context: 2, service: 3, resource: 8, link: 4, method: 7 }

/** The members of a message that are all text. */
export const textsIn = (fields: Fields, width: number): Texts =>
  Object.fromEntries(Array.from({ length: width }, (_, index) => [index + 1, textOf(fields, index + 1)]))

/** A `Verification`. */
export const methodIn = (fields: Fields): Method => ({
  relationships: textsOf(fields, 1),
  texts: textsIn(messageOf(fields, 2), widths.method),
})

/** All of a repeated member. */
export const allIn = (fields: Fields, number: number, width: number): Texts[] =>
  messagesOf(fields, number).map(one => textsIn(one, width))

const encodeTexts = (texts: Texts): Buffer => encode(Object.entries(texts).map(([number, text]) => [+number, text]))

const encodeTime = (milliseconds: number): Buffer =>
  encode([
    [1, Math.floor(milliseconds / 1_000)],
    [2, (milliseconds % 1_000) * 1_000_000 + 123_456],
  ])

const relationships = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
]

/** An `IidDocument`. */
export const encodeDocument = (document: Document): Buffer =>
  encode([
    ...each(1, document.contexts, encodeTexts),
    [2, document.id],
    ...each(3, document.controllers, one => Buffer.from(one)),
    ...each(4, document.methods, ({ texts }) => encodeTexts(texts)),
    ...each(5, document.services, encodeTexts),
    ...relationships.flatMap((name, index): Field[] =>
      each(
        6 + index,
        document.methods.filter(method => method.relationships.includes(name)),
        ({ texts }) => Buffer.from(texts[1] ?? ''),
      ),
    ),
    ...each(11, document.resources, encodeTexts),
    ...each(14, document.links, encodeTexts),
    [15, document.alsoKnownAs],
    [
      16,
      encode([
        [1, document.versionId],
        [2, encodeTime(document.created)],
        [3, encodeTime(document.updated)],
        [4, document.deactivated ? 1 : 0],
      ]),
    ],
  ])

/** An `Entity`. */
export const encodeEntity = (entity: Entity): Buffer =>
  encode([
    [1, entity.id],
    [2, entity.type],
    [3, entity.startDate.length > 0 ? entity.startDate : undefined],
    [4, entity.endDate.length > 0 ? entity.endDate : undefined],
    [5, entity.status],
    [6, entity.relayerNode],
    ...each(7, entity.credentials, one => Buffer.from(one)),
    [
      9,
      encode([
        [1, entity.versionId],
        [2, encodeTime(entity.created)],
        [3, encodeTime(entity.updated)],
      ]),
    ],
  ])
