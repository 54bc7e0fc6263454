import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Skills',
  summary: 'Instructions for special tasks, loaded on demand.',
  whenToUse: ['there may be instructions for the task'],
  whenNotToUse: ['adding tools (use load_capability)'],
  tags: ['skills', 'instructions', 'how-to'],
  load: 'always',
  examples: [
    {
      user: [
        'What skills are there?',
        'Which skills are there?',
        'What skills do you have?',
        'Which skills do you have?',
        'List the skills',
        'Show me the skills',
      ],
      tool: 'list_skills',
      args: {},
      answer: 'Left out: {left_out}.\n{skills}',
    },
    {
      user: ['Load the skill {name}', 'Load the {name} skill', 'Use the skill {name}', 'Show me the skill {name}'],
      tool: 'load_skill',
      args: { names: ['{name}'] },
      answer: 'The skill {skills.0.name} is loaded.\n\n{skills.0.instructions}',
    },
    {
      user: ['Load the skills {names}', 'Use the skills {names}'],
      tool: 'load_skill',
      args: { names: '{names}' },
      answer: 'Loaded: {names}.',
    },
    {
      user: ['Read {path} of the skill {skill}', 'Show me {path} of the skill {skill}', 'Open {path} of skill {skill}'],
      tool: 'read_skill_file',
      args: { skill: '{skill}', path: '{path}' },
      answer: '{text}',
    },
    {
      user: ['Run {path} of the skill {skill}', 'Run the script {path} of the skill {skill}'],
      tool: 'run_skill_script',
      args: { skill: '{skill}', path: '{path}' },
      answer: '{outcome.text}',
    },
  ],
}
