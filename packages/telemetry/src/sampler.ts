import type { TracerParts } from './tracer.ts'

/** The samplers of OpenTelemetry that there are here. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** A sampler by its name in `OTEL_TRACES_SAMPLER`. */
export type SamplerName = (typeof samplerNames)[number]

/**
 * Makes a sampler.
 *
 * @param ratio The share of traces that the `traceidratio` samplers keep, from 0 to 1.
 */
export const createSampler = (name: SamplerName, ratio: number): TracerParts['sample'] => {
  const byParent = name.startsWith('parentbased_')
  const root = rootSampler(name.replace('parentbased_', ''), ratio)
  return (parent, traceId) => (byParent && parent ? parent.sampled : root(traceId))
}

/**
 * Samples a share of the ids by their last digits, which are random, so that all spans of a trace are sampled alike.
 */
const rootSampler = (name: string, ratio: number): ((traceId: string) => boolean) => {
  if (name === 'always_on') return () => true
  if (name === 'always_off') return () => false
  const bound = ratio * 2 ** 52
  return traceId => Number.parseInt(traceId.slice(-13), 16) < bound
}
