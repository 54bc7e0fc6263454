/** The protocol of the entities: ten properties. */
export const stoveProtocol = {
  type: 'Protocol',
  properties: {
    fuel: { type: 'string', required: true, enum: ['wood', 'lpg', 'ethanol', 'pellets', 'hydrogen'] },
    region: 'string',
    model: 'string',
    serial: { type: 'string', required: true, maxLength: 40 },
    installedAt: 'string',
    note: 'string',
    watts: { type: 'number', minimum: 0, maximum: 5000 },
    lit: 'boolean',
    mobile: 'boolean',
    location: 'object',
  },
  relationships: {},
} as const

const fuels = ['wood', 'wood', 'wood', 'wood', 'wood', 'lpg', 'lpg', 'ethanol', 'pellets']

/**
 * The creation of the entity of a number, with one relationship once there are others.
 *
 * @param protocol the DID of the protocol
 * @param partOf the DID of an entity that it is part of
 */
export const stoveOf = (number: number, protocol: string, partOf: string | undefined) => ({
  type: 'CookStove',
  protocol,
  properties: {
    fuel: number % 100_000 === 7 ? 'hydrogen' : fuels[number % fuels.length],
    region: `region ${number % 47}`,
    model: `model ${number % 199}`,
    serial: `SN-${number.toString(36).padStart(8, '0')}`,
    installedAt: new Date(1_700_000_000_000 + ((number * 7919) % 1_000_000) * 60_000).toISOString(),
    note: `Seen by agent ${(number * 31) % 1009} at door ${(number * 17) % 100_003}`,
    watts: number % 1000,
    lit: number % 2 === 0,
    mobile: number % 2 === 1,
    location: {
      county: `county ${number % 53}`,
      ward: `ward ${number % 1009}`,
      latitude: -4.7 + ((number * 7_919) % 97_001) / 10_000,
      longitude: 34 + ((number * 6_101) % 78_007) / 10_000,
    },
  },
  ...(partOf === undefined ? {} : { relationships: { partOf } }),
})

/** Number of entities that are part of one. */
export const branches = 10
