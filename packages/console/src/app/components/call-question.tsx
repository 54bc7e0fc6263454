import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { JsonView } from './json-view.tsx'
import { questionParts } from './question-parts.ts'

/**
 * The question of a call: the sentence of the tool, and its arguments. They are folded where the tool describes its call; the
 * sentence "Run book" says nothing that a person could judge.
 */
export const CallQuestion = ({
  tool,
  question,
  input,
}: {
  readonly tool: string
  readonly question: string
  /** Arguments of the call, if the question has none. */
  readonly input?: unknown
}) => {
  const { t } = useTranslation()
  const { sentence, shown = input } = questionParts(question)
  const details = shown === undefined ? null : <JsonView value={shown} maxHeight={180} />
  return (
    <>
      <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sentence}
      </Text>
      {details === null || sentence === `Run ${tool}` ? (
        details
      ) : (
        <details>
          <summary>
            <Text span size="sm" c="dimmed">
              {t('answer.arguments')}
            </Text>
          </summary>
          {details}
        </details>
      )}
    </>
  )
}
