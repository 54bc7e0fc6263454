import { defineTool, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import type { Flow, FlowLanguage } from '../flow/flow.ts'
import type { FlowFacts, FlowMachine, FlowState } from '../flow/flow-machine.ts'

/** Caller of a preview: an unassigned number, so that no phone's data is read. */
const anonymous: FlowFacts = { phoneNumber: '+10000000000', serviceCode: '*1234#', limits: { gsm7: 182, ucs2: 80 } }

/** Notes for a preview that ends before the path does. */
const ends = {
  secret: 'The preview ends here: it answers no question for a PIN or a code',
  action: 'The preview ends here: the next answer would start an action, which a preview never does',
  over: 'The call ends here',
} as const

const previewSchema = z.object({ screen: z.string(), text: z.string(), note: z.string().optional() })

type Preview = z.output<typeof previewSchema>

/**
 * Creates the tool `preview_ussd_menu`, which shows the screen after some answers from the flow only: it reads no
 * customer, answers no secret and runs no action.
 */
export const previewUssdMenuTool = (flow: Flow, machine: FlowMachine) =>
  defineTool({
    description: 'Shows what a caller sees in the USSD menus after some answers. Changes nothing.',
    effect: 'read',
    input: z.object({
      path: z
        .array(
          z
            .string()
            .max(60)
            .meta({ examples: ['1'] }),
        )
        .max(20)
        .default([])
        .describe('answers in order, as ["1","2"]'),
      language: z
        .string()
        .max(40)
        .optional()
        .meta({ examples: ['Swahili'] }),
    }),
    output: previewSchema,
    async execute({ path, language }) {
      const code = language === undefined ? undefined : languageOf(flow, machine, language)
      return preview(flow, machine, path, code)
    },
  })

const preview = (flow: Flow, machine: FlowMachine, path: readonly string[], language: string | undefined): Preview => {
  let step = machine.begin(anonymous, language === undefined ? {} : { language })
  if (step.kind === 'run') return { screen: step.state.screen, text: '', note: ends.action }
  let shown = step
  const seen = (note?: string): Preview => ({
    screen: shown.state.screen,
    text: shown.reply.text,
    note,
  })
  for (const answer of path) {
    if (shown.reply.kind === 'end') return seen(ends.over)
    if (isSecret(flow, shown.state) && !leaves(flow, answer)) return seen(ends.secret)
    step = machine.input(shown.state, answer, anonymous)
    if (step.kind === 'run') return seen(ends.action)
    shown = step
  }
  return seen(shown.reply.kind === 'end' ? ends.over : undefined)
}

const isSecret = ({ screens }: Flow, { screen }: FlowState): boolean => screens[screen]?.kind === 'secret'

/** Returns whether an answer leads back or exits; a preview sends no other answer to a secret's screen. */
const leaves = ({ keys }: Flow, answer: string): boolean => answer === '*' || answer === (keys?.back ?? '0')

/** Reads a language by its code, its own name, or its English name. */
const languageOf = (flow: Flow, { languages }: FlowMachine, wanted: string): string => {
  const english = new Intl.DisplayNames('en', { type: 'language' })
  const known: readonly FlowLanguage[] =
    flow.languages ?? languages.map(code => ({ code, name: english.of(code) ?? code }))
  const word = wanted.trim().toLowerCase()
  const found = known.find(({ code, name }) => [code, name, english.of(code)].some(one => one?.toLowerCase() === word))
  if (found) return found.code
  throw new ToolFailure(
    `The menus do not speak that language. They speak: ${known.map(({ code }) => code).join(', ')}.`,
  )
}
