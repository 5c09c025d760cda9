import type { SyntaxChecker, SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { parseInChild } from './parse-in-child.ts'

export interface SqlReading {
  readonly problems: readonly SyntaxProblem[]
  /** True when nothing says that it is PostgreSQL's dialect, the only one that can be read. */
  readonly doubtful: boolean
}

/** What PostgreSQL does not know, and another system or a template does. */
const OTHER_DIALECT = [
  // MySQL, MariaDB
  /`\w+`/,
  /\bAUTO_INCREMENT\b/i,
  /\bENGINE\s*=/i,
  /^[ \t]*DELIMITER\s/im,
  /\bON\s+DUPLICATE\s+KEY\b/i,
  /\bUNSIGNED\b/i,
  /^[ \t]*(?:USE\s+\w+\s*;|SHOW\s+(?:TABLES|DATABASES|CREATE)\b|INSERT\s+IGNORE\b|REPLACE\s+INTO\b)/im,
  /\/\*!\d{5}/,
  // SQLite
  /\bAUTOINCREMENT\b/i,
  /^[ \t]*PRAGMA\s/im,
  /\bINSERT\s+OR\s+(?:REPLACE|IGNORE|ABORT|FAIL|ROLLBACK)\b/i,
  /\bWITHOUT\s+ROWID\b/i,
  /^[ \t]*(?:ATTACH|DETACH)\s/im,
  /^[ \t]*\.(?:mode|headers|read|tables|import|output|separator)\b/m,
  // T-SQL
  /^[ \t]*GO[ \t]*;?[ \t]*$/im,
  /\bIDENTITY\s*\(\s*\d/i,
  /\[(?:dbo|\w+)\]\s*\.\s*\[/i,
  /\bNVARCHAR\b|\bDATETIME2\b|\bUNIQUEIDENTIFIER\b/i,
  /\bSELECT\s+TOP\s*\(?\s*\d/i,
  /^[ \t]*DECLARE\s+@/im,
  // Oracle, BigQuery, Snowflake
  /\bVARCHAR2\s*\(|\bNUMBER\s*\(\s*\d|\bSYSDATE\b|\bFROM\s+DUAL\b/i,
  /^[ \t]*\/[ \t]*$/m,
  /\bCREATE\s+OR\s+REPLACE\s+TABLE\b|\bQUALIFY\b|\bSTRUCT\s*</i,
  // Templates and named parameters
  /\{\{|\{%|\$\{|@\w+@|\bMODULE_PATHNAME\b/,
  /(?<![:\w]):[a-z_]\w*\b/i,
  /(?:=|\(|,|\bLIKE|\bIN)\s*(?:\?|%s|%\(\w+\)s|@\w+)(?=[\s,;)]|$)/im,
]

const POSTGRESQL =
  /\b(?:BIG|SMALL)?SERIAL\b|\bJSONB\b|\bTIMESTAMPTZ\b|\bBYTEA\b|\bILIKE\b|\bplpgsql\b|\bCREATE\s+(?:EXTENSION|TYPE\s+\w+\s+AS\s+ENUM)\b|\$\$|\w::\w|\bgen_random_uuid\s*\(|\bUSING\s+(?:gin|gist|btree)\b|^\\(?:c|connect|set|echo|i|ir|copy)\b/im

/** Problems of SQL; `not checked` where the text is evidently another dialect, or a template. */
export async function parseSql(
  text: string,
  checker: SyntaxChecker,
): Promise<SqlReading | 'not checked'> {
  const code = text.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*(?!!)[\s\S]*?(?:\*\/|$)/g, ' ')
  if (OTHER_DIALECT.some((sign) => sign.test(code))) return 'not checked'
  const problems = await parseInChild('sql', withoutClientCommands(text), checker)
  return problems === 'not checked' ? problems : { problems, doubtful: !POSTGRESQL.test(code) }
}

/** Blanks psql's own commands, and the rows of a dump's `COPY … FROM stdin`. */
function withoutClientCommands(text: string): string {
  let inRows = false
  return text
    .split('\n')
    .map((line) => {
      const blank = inRows || /^\\[a-z!?]/i.test(line)
      if (/^\\\.\s*$/.test(line)) {
        inRows = false
        return ''
      }
      inRows ||= /^COPY\s.*\bFROM\s+stdin\b.*;\s*$/i.test(line)
      return blank ? '' : line
    })
    .join('\n')
}
