import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Sandbox',
  summary: 'Runs code in isolation: to calculate, to transform text and data, to create files.',
  whenToUse: [
    'something must be calculated exactly, counted, sorted or simulated',
    'text or data must be transformed by a program',
    'someone wants code to be run',
  ],
  whenNotToUse: ['the program needs a network, a database or the files of this computer'],
  tags: ['code', 'calculation', 'javascript'],
  load: 'on-demand',
  examples: [
    {
      user: [
        'Run this code: {code}',
        'Run the code {code}',
        'Run this JavaScript: {code}',
        'Run {code}',
        'Calculate {code}',
        'What is the result of {code}?',
      ],
      tool: 'run_code',
      args: { language: 'javascript', code: '{code}' },
      answer: 'The result is {result.text}. It printed: {output.text}. It failed: {error.text}.',
    },
  ],
}
