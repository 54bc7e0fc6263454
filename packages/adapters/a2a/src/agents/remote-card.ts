import { jsonValue } from '@sibyl/protocol'
import { z } from 'zod'

const text = (max: number) => z.string().max(max)
const texts = z.array(text(2_000)).max(100).optional()

/** Security schemes by the members that A2A defines. */
const securityScheme = z.object({
  apiKeySecurityScheme: jsonValue.optional(),
  httpAuthSecurityScheme: jsonValue.optional(),
  oauth2SecurityScheme: jsonValue.optional(),
  openIdConnectSecurityScheme: jsonValue.optional(),
  mtlsSecurityScheme: jsonValue.optional(),
})

const requirements = z
  .array(z.object({ schemes: z.record(z.string(), z.object({ list: texts }).optional()).optional() }))
  .max(50)
  .optional()

const extension = z.object({
  uri: text(2_000),
  description: text(4_000).optional(),
  /** Encoders of A2A leave `false` out. */
  required: z
    .boolean()
    .optional()
    .transform(required => required || undefined),
  params: z.record(z.string(), jsonValue).nullish(),
})

const skill = z.object({
  id: text(500),
  name: text(500),
  description: text(10_000).optional(),
  tags: texts,
  examples: texts,
  inputModes: texts,
  outputModes: texts,
  securityRequirements: requirements,
})

/** The agent card of another agent: the members that A2A 1.0 defines; others are dropped. */
export const remoteCard = z.object({
  name: text(500),
  description: text(10_000).optional(),
  supportedInterfaces: z
    .array(
      z.object({
        url: text(2_000),
        protocolBinding: text(100),
        tenant: text(200).optional(),
        protocolVersion: text(20).optional(),
      }),
    )
    .min(1)
    .max(20),
  provider: z.object({ url: text(2_000).optional(), organization: text(500).optional() }).nullish(),
  version: text(200).optional(),
  documentationUrl: text(2_000).nullish(),
  capabilities: z
    .object({
      streaming: z.boolean().nullish(),
      pushNotifications: z.boolean().nullish(),
      extensions: z.array(extension).max(50).optional(),
      extendedAgentCard: z.boolean().nullish(),
    })
    .nullish(),
  securitySchemes: z.record(z.string(), securityScheme).optional(),
  securityRequirements: requirements,
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z.array(skill).max(500).optional(),
  signatures: z
    .array(
      z.object({ protected: text(8_000), signature: text(2_000), header: z.record(z.string(), jsonValue).nullish() }),
    )
    .max(10)
    .optional(),
  iconUrl: text(2_000).nullish(),
})

export type RemoteCard = z.output<typeof remoteCard>
