import { z } from 'zod'

const example = z.object({
  /** What a person says; `{name}` stands for a value, as in 'Forecast for {city} for {days} days'. Several wordings as a list. */
  user: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** The tool that answers it. */
  tool: z.string().min(1),
  /** The tool's input; '{days}' takes the value of that name, coerced by the tool's input schema. */
  args: z.record(z.string(), z.unknown()),
  /** How the offline model words the tool's output: 'It is {temp_c} °C in {city}.'; `{items.0.name}` reaches inside. */
  answer: z.string().optional(),
})

/** What the agent and the person learn about a plugin before it is used. */
export const manifestSchema = z.object({
  title: z.string().min(1).max(60),
  /** One sentence. */
  summary: z.string().min(1).max(200),
  whenToUse: z.array(z.string().min(1)).min(1),
  whenNotToUse: z.array(z.string().min(1)).optional(),
  /** When the agent sees the tools: from the first step, or once it has loaded the plugin. @default 'on-demand' */
  load: z.enum(['always', 'on-demand']).optional(),
  /**
   * Tools, or `*` for all of them, that a person approves at every call, on top of those for which the plugin itself asks
   * that; of a plugin also those of its capabilities.
   */
  approvals: z.array(z.string().min(1)).optional(),
  tags: z.array(z.string()).optional(),
  /** All that the offline model knows; a real model is not shown them. */
  examples: z.array(example).optional(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type Example = z.infer<typeof example>
/** `always` or `on-demand`. */
export type LoadMode = 'always' | 'on-demand'

/** The manifest's load mode with its default filled in. */
export const loadMode = (manifest: Manifest): LoadMode => manifest.load ?? 'on-demand'
