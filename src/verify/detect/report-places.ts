/** Where Maven and Gradle put their reports, as patterns of `find -path`. */
export const surefireReports = '*/target/surefire-reports/TEST-*.xml'
export const gradleReports = '*/build/test-results/*/*.xml'
