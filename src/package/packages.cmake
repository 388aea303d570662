# What `cmake --workflow --preset package` makes: packages for Debian and the systems derived from it; and the .rpm
# of static.sh.

set(CPACK_PACKAGE_VENDOR "the aflame authors")
# as Debian's own tools take it
set(CPACK_PACKAGE_CONTACT "${CPACK_PACKAGE_VENDOR} <root@localhost>")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(description
"Reads what Debug.startMethodTracing, am profile and Android Studio record,
and a dozen other formats, and draws interactive SVG, PNG and PDF files of
every thread with the times of every method. Its other commands print
reports, list single calls and compare recordings.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/src/package/staging.cmake)
set(CPACK_COMPONENTS_ALL aflame library development)
if(TARGET aflame_serve)
  list(APPEND CPACK_COMPONENTS_ALL server)
endif()
if(TARGET aflame_graphviz)
  list(APPEND CPACK_COMPONENTS_ALL graphviz)
endif()
set(CPACK_COMPONENT_SERVER_DEPENDS aflame)
set(CPACK_COMPONENT_GRAPHVIZ_DEPENDS aflame)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# release.sh writes these two
set(AFLAME_RELEASE_DATE "Fri, 27 Nov 2026 12:00:00 +0000")
set(AFLAME_RELEASE_TIME 2026-11-27T12:00:00Z)
include(src/package/third_party.cmake)
install(FILES ${PROJECT_BINARY_DIR}/generated/THIRD-PARTY ${PROJECT_BINARY_DIR}/generated/aflame.spdx
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/aflame COMPONENT aflame)
file(READ LICENSE AFLAME_LICENSE)
file(READ fonts/OFL.txt AFLAME_FONT_LICENSE)
file(READ fonts/DejaVu-LICENSE.txt AFLAME_SYMBOL_LICENSE)
set(packages aflame aflame-server aflame-graphviz libaflame0 libaflame-dev)
set(components aflame server graphviz library development)
set(parts "" "This package has the server for traces." "This package draws call graphs."
    "This package has the library." "This package has the headers and the static library.")
foreach(package component part IN ZIP_LISTS packages components parts)
  string(TOUPPER ${component} variable)
  set(CPACK_DEBIAN_${variable}_PACKAGE_NAME ${package})
  string(STRIP "${description}\n\n${part}" CPACK_COMPONENT_${variable}_DESCRIPTION)
  configure_file(src/package/changelog.in generated/changelog @ONLY)
  configure_file(src/package/copyright.in generated/copyright @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/changelog ${PROJECT_BINARY_DIR}/generated/copyright
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  # "libdeflate 1.14" in `--version` is not zlib
  configure_file(src/package/overrides.in generated/overrides/${package} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/overrides/${package}
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_NAME aflame)
set(CPACK_RPM_PACKAGE_LICENSE "MIT AND LicenseRef-THIRD-PARTY")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${description}")
set(CPACK_RPM_COMPRESSION_TYPE gzip)
# what a second build has to repeat; strip has run, and the manual is compressed
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _buildhost localhost\n%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1\n%define __os_install_post %{nil}\n%define _build_id_links none
%define __requires_exclude rtld") # a static program needs no loader
foreach(shared applications bash-completion bash-completion/completions fish fish/vendor_completions.d icons
        icons/hicolor icons/hicolor/scalable icons/hicolor/scalable/apps man man/man1 man/man3 man/man5 mime
        mime/packages thumbnailers zsh zsh/site-functions licenses)
  list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/${shared})
endforeach()
list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/libexec)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/src/package/triggers)
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/src/package/postinst
    ${PROJECT_SOURCE_DIR}/src/package/prerm)

include(CPack)
