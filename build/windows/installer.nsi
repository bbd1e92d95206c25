; The installer for Windows, for one person and without an administrator.
; package.sh calls: makensis -DVERSION=… -DFILES=folder with the programs -DOUT=….exe
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma

!include "MUI2.nsh"
!include "x64.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Errand"

Name "Errand"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Errand"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Errand"
VIAddVersionKey "FileDescription" "Installs Errand"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "The Errand maintainers, Apache-2.0"

!define MUI_ICON "${FILES}\errand.ico"
!define MUI_UNICON "${FILES}\errand.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\errand-desktop.exe"
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Russian"

LangString NEEDS64 ${LANG_ENGLISH} "Errand needs a 64-bit Windows."
LangString NEEDS64 ${LANG_RUSSIAN} "Errand работает в 64-разрядной Windows."
LangString WEBVIEW ${LANG_ENGLISH} "The window needs Microsoft's WebView2 Runtime, which was not found here. The command line works without it."
LangString WEBVIEW ${LANG_RUSSIAN} "Окну нужен Microsoft WebView2 Runtime, здесь он не найден. Командная строка работает и без него."

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_ICONSTOP "$(NEEDS64)"
    Abort
  ${EndIf}
FunctionEnd

Section
  SetOutPath "$INSTDIR"
  File "${FILES}\errand.exe"
  File "${FILES}\errand-desktop.exe"
  File "${FILES}\errand.ico"
  File "${FILES}\LICENSE.txt"
  File "${FILES}\third-party.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Errand.lnk" "$INSTDIR\errand-desktop.exe" "" "$INSTDIR\errand.ico"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Errand"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Errand maintainers"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\errand.ico"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1

  ; Where the runtime says that it is, for the machine and for the person.
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}" "pv"
  ReadRegStr $1 HKCU "Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}" "pv"
  ${If} "$0$1" == ""
    MessageBox MB_ICONINFORMATION "$(WEBVIEW)" /SD IDOK
  ${EndIf}
SectionEnd

; What Errand wrote down for the person stays, as the packages for the other
; systems leave it.
Section "Uninstall"
  Delete "$SMPROGRAMS\Errand.lnk"
  Delete "$INSTDIR\errand.exe"
  Delete "$INSTDIR\errand-desktop.exe"
  Delete "$INSTDIR\errand.ico"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\third-party.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
