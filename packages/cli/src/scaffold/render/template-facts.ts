import type { TemplateName } from '../answers/scaffold-answers.ts'

interface TemplateFacts {
  /** Shown after its name in a list: `a menu of its own for any phone`. */
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** The first command to try, as arguments of `sibyl`. */
  readonly firstTry: string
}

export const templateFacts: Readonly<Record<TemplateName, TemplateFacts>> = {
  minimal: {
    title: 'only the bundled plugins',
    files: { 'src/main.test.ts': 'a test: it boots and answers' },
    firstTry: 'chat --once "What can you do?"',
  },
  weather: {
    title: 'a plugin that uses the weather',
    files: {
      'src/plugins/field-advice.ts': 'a plugin: on which days the weather suits work in the fields',
      'src/plugins/field-advice.test.ts': 'its test',
    },
    firstTry: 'chat --once "When can I harvest in Berlin?"',
  },
  ussd: {
    title: 'a menu of its own for any phone',
    files: {
      'src/menus.ts': 'the menus that callers see',
      'src/menus.test.ts': 'their test: a phone that dials them',
    },
    firstTry: 'ussd',
  },
  twins: {
    title: 'digital twins, with a protocol of its own',
    files: {
      'src/plugins/wells.ts': 'a plugin that registers wells as digital twins',
      'src/plugins/well-protocol.ts': 'the protocol of wells, and the rubric of claims about them',
      'src/plugins/wells.test.ts': 'its test',
    },
    firstTry: 'chat --once "Add the well Kasisi North in Kasisi"',
  },
}
