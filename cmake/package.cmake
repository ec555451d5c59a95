# SPDX-License-Identifier: Apache-2.0
# A Debian package by CPack: `make package`. It has the command, the Python package, the headers and both libraries. The libraries it needs are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME appell)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Appell authors <appell@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics of robots that bend, roll, slither and close on themselves")
set(CPACK_PACKAGE_DESCRIPTION "Library (shared and static), command and Python package: forward and inverse dynamics of trees of rigid and
flexible bodies with wheels, contact and tendons, with an audited energy balance.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libmicrohttpd12, gnuplot-nox, python3-numpy, python3-cffi-backend")
set(CPACK_STRIP_FILES ON)
include(CPack)
