import type { z } from 'zod'

/** Metadata of a variable, from `.meta({ description, example, defaultText, secret })` of its schema. */
export interface EnvMeta {
  readonly description: string
  /** A valid value; shown in the docs and in the remedy of a boot error. */
  readonly example?: string | undefined
  /** The default as text, if it depends on something else. */
  readonly defaultText?: string | undefined
  readonly secret: boolean
}

const secretNames = /(KEY|KEYS|TOKEN|SECRET|PASSWORD|PASSPHRASE|MNEMONIC|PIN|CREDENTIALS?)$/

/** Returns whether the name of a variable implies a secret. */
export const isSecretName = (name: string): boolean => secretNames.test(name.toUpperCase())

/** Returns the metadata in the schema of a variable, outermost first. */
export const envMeta = (name: string, schema: z.ZodType): EnvMeta => {
  const content: Record<string, unknown> = {}
  for (let layer: z.ZodType | undefined = schema; layer; layer = innerSchema(layer)) {
    for (const [key, value] of Object.entries(layer.meta() ?? {})) content[key] ??= value
  }
  const text = (key: string) => (typeof content[key] === 'string' ? content[key] : undefined)
  const example = text('example')
  const defaultText = text('defaultText')
  return {
    description: text('description') ?? '',
    example,
    defaultText,
    secret: typeof content.secret === 'boolean' ? content.secret : isSecretName(name),
  }
}

/** Returns the default of a schema, if any. */
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
