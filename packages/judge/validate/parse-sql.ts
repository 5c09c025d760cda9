import type { SyntaxChecker, SyntaxProblem } from '../../source/source.ts'
import { parseInChild } from './parse-in-child.ts'

/** Syntax that PostgreSQL does not know, but another system or a template does. */
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

/** Words that start a statement, or a line for a client, in any well-known dialect. */
const VERBS = new Set(
  (
    'ABORT ACCEPT ADD ALTER ANALYZE ATTACH BACKUP BEGIN BINLOG BULK CACHE CALL CHANGE CHECKPOINT CLOSE CLUSTER COLUMN ' +
    'COMMENT COMMIT CONNECT COPY CREATE DEALLOCATE DECLARE DEFINE DELETE DELIMITER DENY DESC DESCRIBE DETACH DISCARD DO ' +
    'DROP ELSE END EXCHANGE EXEC EXECUTE EXIT EXPLAIN EXPORT FETCH FLUSH FOR FROM GET GO GRANT HANDLER HELP HOST IF ' +
    'IMPORT INSERT INSTALL INTO KILL LIST LISTEN LOAD LOCK LOOP MERGE MOVE MSCK NOTIFY OPEN OPTIMIZE PAUSE PIVOT PRAGMA ' +
    'PREPARE PRINT PROMPT PURGE PUT QUIT RAISE RAISERROR REASSIGN REFRESH REINDEX RELEASE REM RENAME REPAIR REPLACE ' +
    'RESET RESTORE RETURN REVOKE ROLLBACK SAVE SAVEPOINT SECURITY SELECT SET SHOW SOURCE SPOOL START STOP SUMMARIZE ' +
    'SYSTEM TABLE THROW TRUNCATE UNCACHE UNDROP UNLISTEN UNLOAD UNLOCK UNSET UPDATE UPSERT USE VACUUM VALUES VARIABLE ' +
    'WATCH WHENEVER WHILE WITH XA'
  ).split(' '),
)

/** A body whose statements may start with a name: `x := 1;`. */
const PROCEDURAL = /\b(?:BEGIN|DECLARE|FUNCTION|PACKAGE|PROCEDURE|TRIGGER)\b/i

/** What no dialect accepts: a statement without a verb, two commas in a row, open brackets. */
function breaksEveryDialect(code: string): boolean {
  const plain = code.replace(/"[^"]*"|\[[^\]]*\]/g, 'name')
  const begin = (statement: string) => /^[\s(]*([a-z_]\w*)/i.exec(statement)?.[1]?.toUpperCase()
  const isStatement = (statement: string) =>
    statement.trim() === '' || VERBS.has(begin(statement) ?? '')
  const count = (sign: string) => plain.split(sign).length
  return (
    (!PROCEDURAL.test(plain) && !plain.split(';').every(isStatement)) ||
    /,\s*,|\(\s*,/.test(plain) ||
    count('(') !== count(')')
  )
}

/** Finds problems of SQL; `not checked` for text in an evident other dialect, or a template. */
export async function checkSql(
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const code = withoutStrings(text)
  return OTHER_DIALECT.some((sign) => sign.test(code))
    ? 'not checked'
    : parseInChild('sql', withoutClientCommands(text), checker)
}

/** True for PostgreSQL's dialect, the only readable one, and for text of no dialect at all. */
export const isCertainSql = (text: string): boolean =>
  POSTGRESQL.test(withoutStrings(text)) ||
  breaksEveryDialect(withoutStrings(withoutClientCommands(text)))

/** Blanks strings and comments, except those that MySQL executes. */
const withoutStrings = (text: string): string =>
  text.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*(?!!)[\s\S]*?(?:\*\/|$)/g, ' ')

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
