import { Code, Group, ScrollArea } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** JSON as text, with a button that copies it. */
export const JsonView = ({ value, maxHeight = 320 }: { readonly value: unknown; readonly maxHeight?: number }) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <Group align="flex-start" gap={4} wrap="nowrap">
      <ScrollArea.Autosize mah={maxHeight} flex={1} viewportProps={{ tabIndex: 0 }}>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </ScrollArea.Autosize>
      <CopyButton value={text ?? ''} />
    </Group>
  )
}
