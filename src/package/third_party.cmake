# Writes THIRD-PARTY, for people, and a list in SPDX 2.3, for programs, of what third_party.txt names,
# with the versions of this build. What is not installed is not built in and not listed.
set(others "^the static aflame$")
if(AFLAME_STATIC)
  set(others "^aflame-|^the packages$")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/package/third_party.txt)
file(STRINGS src/package/third_party.txt rows REGEX "^[^#]")
set(people "aflame ${PROJECT_VERSION} has the licence MIT. It uses:\n\n")
string(CONCAT programs "SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n"
  "DocumentName: aflame-${PROJECT_VERSION}\nDocumentNamespace: urn:aflame:spdx:${PROJECT_VERSION}\n"
  "Creator: Organization: the aflame authors\nCreated: ${AFLAME_RELEASE_TIME}\n")
function(describe name version licence relation)
  string(MAKE_C_IDENTIFIER "${name}" id)
  string(REPLACE "_" "-" id "SPDXRef-${id}")
  string(APPEND programs "\nPackageName: ${name}\nSPDXID: ${id}\nPackageVersion: ${version}\n"
    "PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: ${licence}\n"
    "PackageLicenseDeclared: ${licence}\nPackageCopyrightText: NOASSERTION\n"
    "Relationship: ${relation} ${id}\n")
  set(programs "${programs}" PARENT_SCOPE)
endfunction()
describe(aflame ${PROJECT_VERSION} MIT "SPDXRef-DOCUMENT DESCRIBES")
foreach(row IN LISTS rows)
  string(REPLACE "|" ";" row "${row}")
  list(POP_FRONT row name version licence where)
  if(where MATCHES "${others}")
    continue()
  elseif(version MATCHES "^=(.*)")
    string(CONFIGURE "${CMAKE_MATCH_1}" version @ONLY)
  elseif(version MATCHES "^dpkg:(.*)")
    execute_process(COMMAND dpkg-query -W -f "\${source:Version}" ${CMAKE_MATCH_1}
      OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version)
      set(version "of the system")
    endif()
  else()
    execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --modversion ${version}
      OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(version)
    string(APPEND people "${name} ${version}\n    licence: ${licence}\n    in: ${where}\n")
    describe("${name}" "${version}" "${licence}" "SPDXRef-aflame DEPENDS_ON")
  endif()
endforeach()
string(APPEND people "\nThe licences of the fonts are next to this file. Their names and those above are of SPDX: "
  "https://spdx.org/licenses\n")
file(CONFIGURE OUTPUT generated/THIRD-PARTY CONTENT "${people}" @ONLY)
file(CONFIGURE OUTPUT generated/aflame.spdx CONTENT "${programs}" @ONLY)
