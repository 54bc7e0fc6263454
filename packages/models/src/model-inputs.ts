/** A kind of file that a model takes beside text. */
export type ModelInput = 'image' | 'pdf'

/** Kinds of files that each provider's models usually take; those of other providers take text alone. */
const byProvider: Readonly<Record<string, readonly ModelInput[]>> = {
  'amazon-bedrock': ['image', 'pdf'],
  anthropic: ['image', 'pdf'],
  azure: ['image', 'pdf'],
  google: ['image', 'pdf'],
  'google-vertex': ['image', 'pdf'],
  mistral: ['image'],
  openai: ['image', 'pdf'],
  'openai-compatible': ['image'],
  xai: ['image'],
}

/**
 * Returns the kinds of files that the models of a provider usually take.
 *
 * @param provider The name of its package or of a model's `provider`: `@ai-sdk/anthropic`, `openai.responses`.
 */
export const modelInputsOf = (provider: string): ReadonlySet<ModelInput> => {
  const [name = ''] = provider.replace(/^@[^/]+\//, '').split('.')
  return new Set(Object.hasOwn(byProvider, name) ? byProvider[name] : [])
}
