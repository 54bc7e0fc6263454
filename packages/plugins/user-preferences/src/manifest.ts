import type { Manifest } from '@sibyl/plugin'

const answer = '{summary}'

export const manifest: Manifest = {
  title: 'Preferences',
  summary: 'Stores how a user wants to be addressed: language, units, tone, time zone and name.',
  whenToUse: ['someone wants answers in another language, unit or tone, or states their name or time zone'],
  whenNotToUse: ['other facts about a user (memory)'],
  load: 'always',
  tags: ['language', 'units'],
  examples: [
    {
      user: ['What are my preferences?', 'Show my preferences', 'What do I prefer?'],
      tool: 'get_preferences',
      args: {},
      answer,
    },
    {
      user: ['Answer me in {language}', 'Answer in {language}', 'Speak {language} to me', 'My language is {language}'],
      tool: 'set_preferences',
      args: { patch: { language: '{language}' } },
      answer,
    },
    {
      user: ['Use fahrenheit', 'Use imperial units', 'I prefer imperial units'],
      tool: 'set_preferences',
      args: { patch: { units: 'imperial' } },
      answer,
    },
    {
      user: ['Use celsius', 'Use metric units', 'I prefer metric units'],
      tool: 'set_preferences',
      args: { patch: { units: 'metric' } },
      answer,
    },
    {
      user: ['My time zone is {timeZone}', 'I live in the time zone {timeZone}'],
      tool: 'set_preferences',
      args: { patch: { timeZone: '{timeZone}' } },
      answer,
    },
    {
      user: ['Call me {name}'],
      tool: 'set_preferences',
      args: { patch: { name: '{name}' } },
      answer,
    },
    {
      user: ['Keep your answers {tone}', 'My tone is {tone}'],
      tool: 'set_preferences',
      args: { patch: { tone: '{tone}' } },
      answer,
    },
  ],
}
