import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Files',
  summary: 'Stores files for each user: lists, reads, writes, searches and deletes them.',
  whenToUse: [
    'someone wants a file listed, read, written, searched or deleted',
    'someone attached a file, or wants a longer text stored as a document',
  ],
  whenNotToUse: ['facts to remember about a user (memory)', 'web pages, and entities in the registry'],
  load: 'on-demand',
  tags: ['documents', 'attachments'],
  examples: [
    {
      user: ['List my files', 'What files do I have?', 'Show my files', 'List the files in {under}'],
      tool: 'list_files',
      args: { under: '{under}' },
      answer: '{summary}\n{files.text}',
    },
    {
      user: ['Read the file {path}', 'Show the file {path}', 'What is in the file {path}?'],
      tool: 'read_file',
      args: { path: '{path}' },
      answer: '{content.text}',
    },
    {
      user: [
        'Write the file {path} with the text {text}',
        'Write the file {path}: {text}',
        'Save {text} as the file {path}',
        'Write {text} into the file {path}',
      ],
      tool: 'write_file',
      args: { path: '{path}', text: '{text}' },
      answer: '{summary}',
    },
    {
      user: ['Search my files for {query}', 'Which of my files are about {query}?'],
      tool: 'search_files',
      args: { query: '{query}' },
      answer: '{summary}\n{files.text}',
    },
    { user: ['Delete the file {path}'], tool: 'delete_file', args: { path: '{path}' }, answer: '{summary}' },
  ],
}
