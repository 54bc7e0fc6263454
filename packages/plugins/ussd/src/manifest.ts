import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'USSD',
  summary: 'Menus on any phone: people dial a code, read, answer, and ask the oracle.',
  whenToUse: ['someone asks what callers see on their phones'],
  whenNotToUse: ['data of callers: it is never shown here'],
  tags: ['ussd', 'phone', 'menu'],
  load: 'always',
  examples: [
    {
      user: [
        'Preview the USSD menu',
        'Show me the USSD menu',
        'Show the phone menu',
        'What do callers see?',
        'What do callers see on their phones?',
      ],
      tool: 'preview_ussd_menu',
      args: {},
      answer: 'A phone shows:\n{text}',
    },
    {
      user: ['Preview the USSD menu after {path} in {language}', 'What do callers see after {path} in {language}?'],
      tool: 'preview_ussd_menu',
      args: { path: '{path}', language: '{language}' },
      answer: '{note}. A phone shows:\n{text}',
    },
    {
      user: [
        'Preview the USSD menu after {path}',
        'Show me the USSD menu after {path}',
        'What do callers see after {path}?',
        'What does a caller see after answering {path}?',
      ],
      tool: 'preview_ussd_menu',
      args: { path: '{path}' },
      answer: '{note}. A phone shows:\n{text}',
    },
    {
      user: [
        'Preview the USSD menu in {language}',
        'Show me the USSD menu in {language}',
        'What do callers see in {language}?',
      ],
      tool: 'preview_ussd_menu',
      args: { language: '{language}' },
      answer: 'A phone shows:\n{text}',
    },
  ],
}
