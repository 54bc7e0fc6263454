import { List, Stack, Table, Text } from '@mantine/core'
import type { ClaimDetails } from '@sibyl/plugin-claims/records'
import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Note } from '../../components/note.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'

/** The decision of the evaluation, its reasons, and the rules with their results. */
export const VerdictSection = ({ claim: { verdict } }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  return (
    <Section title={t('claims.rules')}>
      {verdict ? (
        <Stack gap="xs">
          <Text size="sm">
            <b>{t(`claims.decisions.${verdict.decision}`)}</b> {t(`claims.methods.${verdict.method}`)}{' '}
            <RelativeTime value={verdict.at} />
          </Text>
          {verdict.reasons.length > 0 && (
            <List size="sm">
              {verdict.reasons.map(reason => (
                <List.Item key={reason}>{reason}</List.Item>
              ))}
            </List>
          )}
          {verdict.checks.length > 0 && (
            <Table verticalSpacing={4} aria-label={t('claims.rules')}>
              <Table.Tbody>
                {verdict.checks.map(({ id, of, passed, reason }) => (
                  <Table.Tr key={`${of} ${id}`}>
                    <Table.Td w={28}>
                      {passed ? (
                        <Check size={16} aria-label={t('claims.met')} />
                      ) : (
                        <X size={16} aria-label={t('claims.notMet')} />
                      )}
                    </Table.Td>
                    <Table.Th scope="row" fw={500}>
                      {id}
                    </Table.Th>
                    <Table.Td>{t(`claims.owners.${of}`)}</Table.Td>
                    <Table.Td>{passed ? '' : reason}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Stack>
      ) : (
        <Note>{t('claims.notJudged')}</Note>
      )}
    </Section>
  )
}
