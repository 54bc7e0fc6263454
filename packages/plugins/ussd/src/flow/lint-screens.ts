import { fits, measure, type TextLimits, unitSeptets } from '../text/measure.ts'
import { pageText, paginate } from '../text/paginate.ts'
import type { FlowWords, Screen } from './flow.ts'
import type { PreparedFlow } from './flow-speech.ts'
import { type Sample, sampleFacts } from './lint-samples.ts'
import { pageContent } from './screen-layout.ts'
import { type ScreenView, viewScreen } from './screen-view.ts'

/** Returns the parts of a screen that do not fit, in the language and with the values of a sample. */
export const lintScreen = (prepared: PreparedFlow, name: string, sample: Sample, limits: TextLimits): FlowFinding[] => {
  const screen = prepared.flow.screens[name]!
  const state = { ...sample.state, screen: name }
  const at: Place = { screen: name, language: state.language, limits }
  const call = { ...prepared, facts: { ...sampleFacts, limits } }
  let view: ScreenView
  try {
    view = viewScreen(call, state)
  } catch {
    const problem = 'its words could not be computed with sample values; look at it yourself'
    return [{ ...place(at), severity: 'warning', problem }]
  }
  if (view.form === 'end') return onOneMessage(at, 'the ending', view.words)
  const content = pageContent(call, view, state)
  if (view.form === 'free') {
    const foot = content.foot?.({ first: true, last: true }) ?? []
    const tooLong = onOneMessage(at, 'the question', view.words)
    if (tooLong.length > 0) return tooLong
    return onOneMessage(at, 'with its keys the question', [view.words, ...foot].join('\n'), 'warning')
  }
  const pages = paginate(content)
  const fullFoot = content.foot?.({ first: false, last: false }) ?? []
  const longLines = (content.lines ?? []).flatMap(line =>
    onOneMessage(at, `with the keys the line "${line}"`, [line, ...fullFoot].join('\n')),
  )
  const whole = pageText({
    words: view.words,
    lines: content.lines ?? [],
    foot: content.foot?.({ first: true, last: true }) ?? [],
  })
  const singles: { readonly [Kind in Screen['kind']]?: string } = {
    confirm: 'the question with its answers',
    action: 'what is shown while it is late',
  }
  const single = singles[screen.kind]
  return [
    ...longLines,
    ...(single === undefined ? [] : onOneMessage(at, single, whole)),
    ...(longLines.length === 0 && pages.some(({ foot }) => foot.length === 0)
      ? [{ ...place(at), severity: 'error' as const, problem: 'the keys alone fill a message' }]
      : []),
  ]
}

/** Returns the shared texts that do not fit, in the language of a sample. */
export const lintWords = ({ speech, keys }: PreparedFlow, { state }: Sample, limits: TextLimits): FlowFinding[] => {
  const at = (name: string): Place => ({ screen: `words.${name}`, language: state.language, limits })
  const word = (name: keyof FlowWords) => speech.word(name, state)
  const exit = `*. ${word('exit')}`
  const back = `${keys.back}. ${word('back')}`
  const resume = [word('resume'), `1. ${word('yes')}`, `2. ${word('no')}`, exit].join('\n')
  return [
    ...onOneMessage(at('goodbye'), 'the ending', word('goodbye')),
    ...onOneMessage(at('notAnOption'), 'the notice', word('notAnOption')),
    ...onOneMessage(at('failed'), 'the screen', [word('failed'), back, exit].join('\n')),
    ...onOneMessage(at('unknownOutcome'), 'the screen', [word('unknownOutcome'), back, exit].join('\n')),
    ...onOneMessage(at('resume'), 'the question with its answers', resume),
  ]
}

interface Place {
  readonly screen: string
  readonly language: string
  readonly limits: TextLimits
}

const place = ({ screen, language }: Place): Pick<FlowFinding, 'screen' | 'language'> => ({ screen, language })

const onOneMessage = (
  at: Place,
  what: string,
  text: string,
  severity: FlowFinding['severity'] = 'error',
): FlowFinding[] => {
  if (fits(text, at.limits)) return []
  const { encoding, used, limit } = measure(text, at.limits)
  const foreign = encoding === 'gsm7' ? '' : ` of UCS-2, because of "${firstForeign(text)}"`
  return [{ ...place(at), severity, problem: `${what} takes ${used} of ${limit}${foreign}`, used, limit }]
}

const firstForeign = (text: string): string =>
  [...text].find(character => character.length > 1 || unitSeptets(character.charCodeAt(0)) === 0) ?? ''

export interface FlowFinding {
  /**
   * An `error` is a text that callers cannot read completely, or not in their language; a `warning` should be reviewed.
   */
  readonly severity: 'error' | 'warning'
  /** The screen's name, or `words.<name>` for the shared words. */
  readonly screen: string
  /** The language's code; undefined if the finding applies to all. */
  readonly language?: string | undefined
  readonly problem: string
  /** Length of a text that is too long, in septets of GSM-7 or code units of UCS-2. */
  readonly used?: number
  /** Maximum length. */
  readonly limit?: number
}

/** Returns a finding as one line: `error: home (sw): …`. */
export const findingText = ({ severity, screen, language, problem }: FlowFinding): string =>
  `${severity}: ${screen}${language === undefined ? '' : ` (${language})`}: ${problem}`
