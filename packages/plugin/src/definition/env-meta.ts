import type { z } from 'zod'

/** What a schema says of its variable, by `.meta({ description, example, defaultText, secret })`. */
export interface EnvMeta {
  readonly description: string
  /** A value that would do; shown in the docs and in the remedy of a boot error. */
  readonly example?: string
  /** The default in words, where it depends on something else. */
  readonly defaultText?: string
  readonly secret: boolean
}

const secretNames = /(KEY|KEYS|TOKEN|SECRET|PASSWORD|PASSPHRASE|MNEMONIC|PIN|CREDENTIALS?)$/

/** Whether a variable holds a secret, judged by its name. */
export const isSecretName = (name: string): boolean => secretNames.test(name.toUpperCase())

/** What the schema of a variable says about it, from the outside in. */
export const envMeta = (name: string, schema: z.ZodType): EnvMeta => {
  const said: Record<string, unknown> = {}
  for (let layer: z.ZodType | undefined = schema; layer; layer = innerSchema(layer)) {
    for (const [key, value] of Object.entries(layer.meta() ?? {})) said[key] ??= value
  }
  const text = (key: string) => (typeof said[key] === 'string' ? said[key] : undefined)
  const example = text('example')
  const defaultText = text('defaultText')
  return {
    description: text('description') ?? '',
    ...(example === undefined ? {} : { example }),
    ...(defaultText === undefined ? {} : { defaultText }),
    secret: typeof said.secret === 'boolean' ? said.secret : isSecretName(name),
  }
}

/** The default a schema fills in; undefined when there is none. */
export const envDefault = (schema: z.ZodType): unknown => {
  for (let layer: z.ZodType | undefined = schema; layer; layer = innerSchema(layer)) {
    const { defaultValue } = layer._zod.def as { defaultValue?: unknown }
    if (defaultValue !== undefined) return defaultValue
  }
  return undefined
}

const innerSchema = (schema: z.ZodType): z.ZodType | undefined => {
  const { innerType, in: input } = schema._zod.def as { innerType?: z.ZodType; in?: z.ZodType }
  return innerType ?? input
}
