import { z } from 'zod'

const example = z.object({
  /**
   * A message of a user; `{name}` stands for a value, as in 'Forecast for {city} for {days} days'. A list has
   * alternative wordings.
   */
  user: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** The tool that answers it. */
  tool: z.string().min(1),
  /** The input of the tool; '{days}' takes the value of that name, coerced by the input schema. */
  args: z.record(z.string(), z.unknown()),
  /**
   * The answer of the offline model from the output of the tool: 'It is {temp_c} °C in {city}.'; `{items.0.name}` reads
   * a nested value.
   */
  answer: z.string().optional(),
})

/** The description of a plugin for the agent and the user. */
export const manifestSchema = z.object({
  title: z.string().min(1).max(60),
  /** One sentence. */
  summary: z.string().min(1).max(200),
  whenToUse: z.array(z.string().min(1)).min(1),
  whenNotToUse: z.array(z.string().min(1)).optional(),
  /**
   * When the tools are available: from the first step, or once the agent has loaded the plugin. @default 'on-demand'
   */
  load: z.enum(['always', 'on-demand']).optional(),
  /**
   * Tools, or `*` for all, that require approval for every call, in addition to those that require it themselves; for a
   * plugin it includes the tools of its capabilities.
   */
  approvals: z.array(z.string().min(1)).optional(),
  tags: z.array(z.string()).optional(),
  /** Examples for the offline model; a real model does not see them. */
  examples: z.array(example).optional(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type Example = z.infer<typeof example>
/** `always` or `on-demand`. */
export type LoadMode = 'always' | 'on-demand'

/** Returns the load mode of a manifest, or the default. */
export const loadMode = (manifest: Manifest): LoadMode => manifest.load ?? 'on-demand'
